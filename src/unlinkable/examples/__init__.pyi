from .hospital import hospital as hospital
from .hospital import hospital_plan as hospital_plan
from .hospital import hospital_taxonomies as hospital_taxonomies
from .transfusions import transfusions as transfusions
from .transfusions import transfusions_taxonomies as transfusions_taxonomies
