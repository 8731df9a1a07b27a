from .credentials import Password as Password
from .hosts import is_loopback as is_loopback
