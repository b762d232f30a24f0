"""Every answer to an arbitrary HTTP request matches the OpenAPI description."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.web.server import Server, cookie_of


@pytest.mark.slow
def test_every_answer_to_anything_is_as_described(server: Server) -> None:
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    operations: set[str] = set()
    with server.client() as client:
        for parsed in schema.get_all_operations():
            assert isinstance(parsed, Ok)
            operation = parsed.ok()
            operations.add(operation.label)

            @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
            @given(operation.as_strategy())
            def check(case: Any) -> None:
                client.post("/api/me", json={"name": "Ann"}).raise_for_status()
                case.call_and_validate(headers={"cookie": cookie_of(client)}, checks=checks)

            check()
    assert {"POST /api/tables", "GET /api/games/{game}", "DELETE /api/me", "POST /api/verify"} <= operations
    assert len(operations) >= 20
