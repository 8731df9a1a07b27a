from .check import check as check
from .evidence import Finding as Finding
