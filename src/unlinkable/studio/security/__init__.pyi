from .hosts import is_loopback as is_loopback
from .password import Password as Password
