from .plan import Plan as Plan
from .plan_sections import Format as Format
