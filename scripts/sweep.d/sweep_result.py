"""What was found about one quantity of one clip."""
from sweep_known import known

LIMIT = 2e-5         # of the model's extent
NORMAL_LIMIT = 1e-3  # of a unit normal: mesh files hold them with few digits


class Result:
    """The worst deviation of one quantity of one clip, relative to the model's extent."""

    def __init__(self, model, clip, quantity, extent):
        self.model, self.clip, self.quantity, self.extent = model, clip, quantity, extent
        self.value, self.raw, self.time, self.remarks, self.text = 0.0, 0.0, 0.0, set(), ""

    @classmethod
    def refused(cls, model, text):
        result = cls(model, "", "refused", 0.0)
        result.text = text
        return result

    @classmethod
    def broken(cls, model, text):
        result = cls(model, "", "broken", 0.0)
        result.text = text
        return result

    @classmethod
    def without_truth(cls, model, text):
        result = cls(model, "", "without truth", 0.0)
        result.text = text
        return result

    @property
    def limit(self):
        return NORMAL_LIMIT if self.quantity.startswith("normals") else LIMIT

    @property
    def state(self):
        if self.quantity in ("refused", "without truth"):
            return self.quantity
        if self.quantity == "broken":
            return "FAILURE"
        if self.value <= self.limit:
            return "agrees"
        return "known" if known(self) else "FAILURE"
