"""A boosted fit that ended in the middle resumes from its last whole round: the same digest."""

from __future__ import annotations

import errno
import os

import numpy as np
import pytest

from hardwood import BoostedTreesClassifier
from hardwood.boosting import checkpoint as checkpointing
from hardwood.distributed.events import RoundWeights
from hardwood.distributed.team import Team
from tests.distributed.splitting import cut
from tests.tables.frames import mixed_frame

pytestmark = pytest.mark.grid

VARIANTS = {
    "real": {},
    "one-versus-rest": {"classes": 3},
    "samme": {"classes": 3, "variant": "discrete"},
    "pairs": {"classes": 3, "variant": "discrete", "multiclass": "pairs"},
    "discrete": {"variant": "discrete", "learning_rate": 0.5},
    "trimmed": {"variant": "gentle", "weight_fraction": 0.7},
    "drawn columns": {"feature_fraction": 0.4, "random_state": 3},
    "ends by itself": {"max_depth": None, "variant": "discrete"},
}


class StoppedError(Exception):
    pass


@pytest.fixture
def stop_in_round(monkeypatch):
    """The fit ends in the middle of a booster's number-th round; once."""

    def arm(number: int) -> None:
        ask, seen = Team.ask, [0]

        def stopping(team, events, requests):
            seen[0] += any(isinstance(event, RoundWeights) for event in events)
            if seen[0] == number:
                seen[0] += 1
                raise StoppedError
            return ask(team, events, requests)

        monkeypatch.setattr(Team, "ask", stopping)

    return arm


class Fit:
    """A fit in parts, with checkpoint and without."""

    def __init__(self, pieces_of, rows=600, classes=2, **options):
        rng = np.random.default_rng(5)
        self.frame, self.y = mixed_frame(rng, rows, classes)
        self.weights = rng.random(rows)
        self._pieces_of = pieces_of
        self.options = {"n_estimators": 6} | options

    def fit(self, checkpoint=None, places=(200, 450), **changes):
        model = BoostedTreesClassifier(**(self.options | changes))
        parts = cut(self.frame, self.y, self.weights, list(places))
        return model.fit(self._pieces_of(parts), None, checkpoint=checkpoint)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_resumed_fit_has_the_digest_of_an_undisturbed_one(
    pieces_of, tmp_path, stop_in_round, variant
):
    work = Fit(pieces_of, **VARIANTS[variant])
    undisturbed = work.fit()
    stop_in_round(2 if variant == "ends by itself" else 5)
    try:
        work.fit(tmp_path)
    except StoppedError:
        assert list(tmp_path.glob("round-*.npz")) or variant == "one-versus-rest"
    resumed = work.fit(tmp_path, places=(300,))
    assert resumed.digest() == undisturbed.digest()
    assert np.allclose(resumed.history_["bound"], undisturbed.history_["bound"], equal_nan=True)
    again = work.fit(tmp_path)  # nothing is left to train
    assert again.digest() == undisturbed.digest()
    assert again.traffic_.histograms == 0


def test_more_and_fewer_rounds_than_are_kept(pieces_of, tmp_path):
    work = Fit(pieces_of)
    work.fit(tmp_path, n_estimators=4)
    assert work.fit(tmp_path, n_estimators=2).digest() == work.fit(n_estimators=2).digest()
    assert work.fit(tmp_path, n_estimators=7).digest() == work.fit(n_estimators=7).digest()
    assert len(list(tmp_path.glob("round-*.npz"))) == 7


def test_early_stopping_resumes_as_if_it_had_not_stopped(pieces_of, tmp_path, stop_in_round):
    work = Fit(
        pieces_of, n_estimators=40, early_stopping=True, n_iter_no_change=3, cut_fraction=1.0
    )
    rng = np.random.default_rng(9)
    held_out = mixed_frame(rng, 100, 2)

    def fit(checkpoint):
        model = BoostedTreesClassifier(**work.options)
        parts = pieces_of(cut(work.frame, work.y, None, [300]))
        return model.fit(parts, None, X_val=held_out[0], y_val=held_out[1], checkpoint=checkpoint)

    undisturbed = fit(None)
    assert undisturbed.n_estimators_ < 40
    stop_in_round(undisturbed.n_estimators_ + 1)
    with pytest.raises(StoppedError):
        fit(tmp_path)
    assert fit(tmp_path).digest() == undisturbed.digest()
    assert fit(tmp_path).digest() == undisturbed.digest()


def test_other_data_parameters_and_directories_are_refused(pieces_of, tmp_path):
    work = Fit(pieces_of)
    place = tmp_path / "rounds"
    digest = work.fit(place).digest()
    with pytest.raises(ValueError, match="of another fit"):
        work.fit(place, learning_rate=0.3)
    values, weights, labels = work.frame["many"].copy(), work.weights, work.y
    work.frame["many"] = values.sample(frac=1, random_state=1).to_numpy()
    with pytest.raises(ValueError, match="of another fit"):
        work.fit(place)
    work.frame["many"], work.weights = values, weights[::-1].copy()
    with pytest.raises(ValueError, match="of another fit"):
        work.fit(place)
    work.weights, work.y = weights, labels[::-1].reset_index(drop=True)
    with pytest.raises(ValueError, match="of another fit"):
        work.fit(place)
    work.y = labels
    assert work.fit(place).digest() == digest
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(ValueError, match=r"is not empty \('"):
        work.fit(tmp_path)
    with pytest.raises(ValueError, match="cannot be used as a directory"):
        work.fit(tmp_path / "mine.txt")
    assert (tmp_path / "mine.txt").read_text() == "precious"


@pytest.mark.parametrize("number", [3, 5])
@pytest.mark.parametrize("damage", ["truncated", "empty", "changed", "absent"])
def test_a_damaged_round_is_trained_again(pieces_of, tmp_path, damage, number):
    work = Fit(pieces_of)
    expected = work.fit(tmp_path).digest()
    path = tmp_path / f"round-{number:05d}.npz"
    content = path.read_bytes()
    if damage == "absent":
        path.unlink()
        assert work.fit(tmp_path).digest() == expected
    else:
        changed = bytearray(content)
        changed[300] ^= 255
        path.write_bytes({"truncated": content[:-100], "empty": b"", "changed": changed}[damage])
        with pytest.warns(UserWarning, match=f"damaged.*from the {number} rounds before"):
            assert work.fit(tmp_path).digest() == expected
    assert work.fit(tmp_path).digest() == expected
    assert len(list(tmp_path.iterdir())) == 7


def test_a_disk_that_fills_up_is_named_and_leaves_whole_rounds(pieces_of, tmp_path, monkeypatch):
    work = Fit(pieces_of)
    expected, savez, seen = work.fit().digest(), np.savez, [0]

    def full(file, **arrays):
        seen[0] += 1
        if seen[0] == 3:
            file.write(b"PK half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        savez(file, **arrays)

    monkeypatch.setattr(checkpointing.np, "savez", full)
    with pytest.raises(OSError, match="round-00002.npz could not be written.*make room"):
        work.fit(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fit.json", "round-00000.npz", "round-00001.npz",
    ]  # fmt: skip
    assert work.fit(tmp_path).digest() == expected
