from .judgement import Judgement as Judgement
from .verification import Verification as Verification
from .verification import verify as verify
from .verified_files import changed_files as changed_files
from .verified_files import is_open_to_others as is_open_to_others
from .verified_files import signature_problem as signature_problem
