"""Maximum entropy: what to believe of people, given what is published and what else is known.

Of all ways to hand out the values of every group to its people that agree with what is known, the
one that assumes nothing else: the one of the largest entropy [1]_. `statements` reads what is
known, `cells` lays out what is unknown, `presolve` settles what needs no optimization, `dual` finds
the rest.

References
----------
.. [1] W. Du, Z. Teng, Z. Zhu. "Privacy-MaxEnt: integrating background knowledge in privacy
   quantification." SIGMOD 2008.
"""

from __future__ import annotations
