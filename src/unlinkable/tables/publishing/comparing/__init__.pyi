from .choosing import Balance as Balance
from .choosing import choose_k as choose_k
from .compare import compare as compare
from .comparison import RISKS as RISKS
from .comparison import Comparison as Comparison
