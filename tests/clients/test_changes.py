"""Every operation that changes something, and every rule of the model, on twin worlds in both protocols."""

import functools

import pytest

import marked
from changes import aliases, capacity, containers, content, fleets, hosts, matchmaking, placements, players, sessions
from clients import ask_json, boto
from test_gamelift import OPERATIONS as READS
from twins import Book, Twins

FAMILIES = [aliases, capacity, containers, content, fleets, hosts, matchmaking, placements, players, sessions]
