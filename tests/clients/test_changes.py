"""Every operation that changes something, and every rule of the model, on twin worlds in both protocols."""

import functools

import pytest

from changes import FAMILIES, PLAYED_TOGETHER, name
from judge import MODEL
from twins import Book, Twins
from violations import members

# Members that no valid request here can contain, because the simulator does not offer that feature; see its manual.
NOT_OFFERED = {"CreateFleet": {"PlayerGatewayConfiguration"}}


@functools.cache
def played(at):
    """Returns what was wrong with each story of the families played together, and the calls made, by family."""
    books, found = {}, {}
    with Twins() as twins:
        for family in PLAYED_TOGETHER[at]:
            book = books[name(family)] = Book()
            for region, story in family.STORIES:
                found[name(family), story.__name__] = twins.play(story, region, book)
    return found, books


def together(family):
    """Returns the results of the stories played in the same pair of worlds as a family's."""
    return played(next(at for at, families in enumerate(PLAYED_TOGETHER) if family in families))


TOLD = [(family, story.__name__) for family in FAMILIES for _, story in family.STORIES]


@pytest.mark.parametrize("family, story", TOLD, ids=[f"{name(family)}-{story}" for family, story in TOLD])
def test_a_story_goes_as_the_service_would_tell_it(family, story):
    found = together(family)[0][name(family), story]
    assert not found, "\n".join(found[:40])


@pytest.mark.parametrize("family", FAMILIES, ids=[f"{name(family)}-all" for family in FAMILIES])
def test_a_family_asks_its_operations_with_success_and_in_vain_and_breaks_every_rule(family):
    book = together(family)[1][name(family)]
    assert set(family.OPERATIONS) <= book.succeeded
    assert set(family.OPERATIONS) <= book.failed
    for operation in family.OPERATIONS:
        wanted = set(members(MODEL.operation_model(operation).input_shape))
        wanted = {path for path in wanted if path.split(".")[0] not in NOT_OFFERED.get(operation, set())}
        assert not wanted - book.broken[operation], operation
