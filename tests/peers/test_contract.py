"""The tests that dp_accounting ships for every accountant, run on ours."""

from dp_accounting import privacy_accountant_test

from events import ADD_OR_REMOVE, REPLACE, ZERO_OUT
from renyi.compat.dp_accounting import ExactAccountant, RdpAccountant


class OursTest(privacy_accountant_test.PrivacyAccountantTest):
    def _make_test_accountants(self):
        relations = (ADD_OR_REMOVE, REPLACE, ZERO_OUT)
        made = [
            make(neighboring_relation=relation) for make in (RdpAccountant, ExactAccountant) for relation in relations
        ]
        return [*made, RdpAccountant([2.0, 8.0])]
