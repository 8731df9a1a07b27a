from .attack import Attack as Attack
from .target import AdversaryKnowledge as AdversaryKnowledge
from .target import Oracle as Oracle
from .target import Target as Target
from .target import Truth as Truth
