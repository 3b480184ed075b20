"""Calls GameLift through boto3, for a test in another language: `ask.py ENDPOINT REGION OPERATION JSON…`.

Makes one call for each JSON, because starting takes longer than a call. Prints each answer as a line of JSON, with
all pages merged if boto3 can page.
"""

import json
import sys

import boto3


def main(endpoint, region, operation, *questions):
    keys = {"aws_access_key_id": "AKIAFOREIGNCLIENT", "aws_secret_access_key": "secret"}
    client = boto3.client("gamelift", endpoint_url=endpoint, region_name=region, **keys)
    for question in questions:
        asked = json.loads(question)
        if client.can_paginate(operation):
            answer = client.get_paginator(operation).paginate(**asked).build_full_result()
        else:
            answer = getattr(client, operation)(**asked)
        print(json.dumps(answer, default=str))


main(*sys.argv[1:])
