"""Hosts: by which names the studio may be called.

A page elsewhere can have its own name point to this machine (DNS rebinding), and its scripts would
then talk to the studio as if it were their own server. Such requests carry that name.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import Self

from attrs import frozen

__all__ = ["Hosts", "is_loopback"]


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine alone.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@frozen
class Hosts:
    """The names that are allowed.

    Attributes
    ----------
    names
        Names, in small letters.
    port
        The port that must be named with them.
    given
        Names that the holder has given; a server in front may have any port.
    only_loopback
        Whether of bare addresses those of this machine alone are allowed. An address cannot be
        made to point elsewhere, so that all are harmless where the network is let in.
    """

    names: frozenset[str]
    port: int
    only_loopback: bool = True
    given: frozenset[str] = frozenset()

    @classmethod
    def of(cls, host: str, port: int, also: Iterable[str] = ()) -> Self:
        """Allow the names under which a server can be reached that is bound to a host."""
        names = {"localhost", host.lower()}
        if not is_loopback(host):
            names.add(socket.gethostname().lower())
        given = frozenset(name.lower() for name in also)
        return cls(frozenset(names), port, is_loopback(host), given)

    def allow(self, header: str) -> bool:
        """Whether a request may be meant for this server, by its ``Host`` header.

        Examples
        --------
        >>> hosts = Hosts.of("127.0.0.1", 8080)
        >>> hosts.allow("localhost:8080"), hosts.allow("evil.example:8080")
        (True, False)
        """
        name, port = _parted(header)
        if port != self.port:
            return port > 0 and name.lower() in self.given
        try:
            address = ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name.lower() in self.names | self.given
        return address.is_loopback or not self.only_loopback or name in self.names


def _parted(header: str) -> tuple[str, int]:
    name, colon, port = header.rpartition(":")
    if not colon or name.endswith(":") or (":" in name and not name.startswith("[")):
        name, port = header, "80"
    return name, int(port) if port.isdecimal() and len(port) < 6 else -1
