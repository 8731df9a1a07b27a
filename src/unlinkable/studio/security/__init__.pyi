from .credentials import Password as Password
from .gate import is_loopback as is_loopback
