from .anatomize import Anatomize as Anatomize
from .ke_permutation import KEPermutation as KEPermutation
from .r_robust_bucketization import RRobustBucketization as RRobustBucketization
