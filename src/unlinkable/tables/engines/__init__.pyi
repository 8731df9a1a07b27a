from .local import Counted as Counted
from .local import count as count
from .local import count_parts as count_parts
from .local import count_people as count_people
