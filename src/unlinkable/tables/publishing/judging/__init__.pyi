from .check import check as check
from .evidence import Finding as Finding
from .verification import Verification as Verification
from .verification import verify as verify
