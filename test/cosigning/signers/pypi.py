"""PyPI `kaspa` as another cosigner: a request of JSON on each line of stdin, a signature of each input on stdout."""

import json
import sys

from kaspa import PrivateKey, Transaction, create_input_signature


def to_input(given):
    utxo = given["utxo"]
    return {
        "previousOutpoint": given["outpoint"],
        "signatureScript": "",
        "sequence": int(given["sequence"]),
        "sigOpCount": given["sigOpCount"],
        "utxo": {
            "address": None,
            "outpoint": given["outpoint"],
            "amount": int(utxo["amount"]),
            "scriptPublicKey": utxo["scriptPublicKey"],
            "blockDaaScore": int(utxo["blockDaaScore"]),
            "isCoinbase": utxo["isCoinbase"],
            "covenantId": None,
        },
    }


def to_output(given):
    return {"value": int(given["value"]), "scriptPublicKey": given["scriptPublicKey"], "covenant": None}


for line in sys.stdin:
    request = json.loads(line)
    given = request["transaction"]
    fields = {
        "id": given["id"],
        "version": given["version"],
        "inputs": [to_input(each) for each in given["inputs"]],
        "outputs": [to_output(each) for each in given["outputs"]],
        "lockTime": int(given["lockTime"]),
        "subnetworkId": given["subnetworkId"],
        "gas": int(given["gas"]),
        "payload": given["payload"],
        "mass": 0,
    }
    transaction = Transaction.from_dict(fields)
    key = PrivateKey(request["privateKey"])
    signatures = [create_input_signature(transaction, at, key) for at in range(len(given["inputs"]))]
    print(json.dumps({"id": transaction.id, "signatures": signatures}), flush=True)
