from .attack import MOST_SHOWN as MOST_SHOWN
from .attack import Adversary as Adversary
from .attack import Attackable as Attackable
from .attack import Outcome as Outcome
from .attack import Threat as Threat
from .attack import Victim as Victim
from .attack_suite import AttackSuite as AttackSuite
from .attack_suite import Skipped as Skipped
