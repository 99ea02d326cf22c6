//! Judges spends with the script engine of the node: one case in JSON a line on standard input, one reply a line on standard output.
//! A case is `{ transaction, spent, limit }` as the fixtures record it, and is about input 0 of the transaction; `input` names another.

use std::io::{BufRead, Write};

use kaspa_consensus_core::hashing::sighash::SigHashReusedValuesUnsync;
use kaspa_consensus_core::mass::ScriptUnits;
use kaspa_consensus_core::subnets::SubnetworkId;
use kaspa_consensus_core::tx::{
    CovenantBinding, PopulatedTransaction, ScriptPublicKey, Transaction, TransactionInput, TransactionOutpoint, TransactionOutput,
    UtxoEntry,
};
use kaspa_txscript::caches::Cache;
use kaspa_txscript::covenants::CovenantsContext;
use kaspa_txscript::{EngineCtx, EngineFlags, TxScriptEngine};
use serde_json::{Value, json};

fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap_or("");
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hex")).collect()
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().expect("hex of a fixed length")
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| value.as_str().expect("a number").parse().expect("u64"))
}

fn script(value: &Value) -> ScriptPublicKey {
    ScriptPublicKey::from_vec(number(&value["version"]) as u16, bytes(&value["script"]))
}

fn outpoint(value: &Value) -> TransactionOutpoint {
    TransactionOutpoint::new(array::<32>(&value["transactionId"]).into(), number(&value["index"]) as u32)
}

fn input(value: &Value, version: u16) -> TransactionInput {
    let (outpoint, signature_script) = (outpoint(&value["previousOutpoint"]), bytes(&value["signatureScript"]));
    let sequence = number(&value["sequence"]);
    if version == 0 {
        TransactionInput::new(outpoint, signature_script, sequence, number(&value["sigOpCount"]) as u8)
    } else {
        TransactionInput::new_with_compute_budget(outpoint, signature_script, sequence, number(&value["computeBudget"]) as u16)
    }
}

fn output(value: &Value) -> TransactionOutput {
    let covenant = value.get("covenant").filter(|binding| binding.is_object()).map(|binding| {
        CovenantBinding::new(number(&binding["authorizingInput"]) as u16, array::<32>(&binding["covenantId"]).into())
    });
    TransactionOutput::with_covenant(number(&value["value"]), script(&value["scriptPublicKey"]), covenant)
}

fn entry(value: &Value) -> UtxoEntry {
    UtxoEntry {
        amount: number(&value["amount"]),
        script_public_key: script(&value["scriptPublicKey"]),
        block_daa_score: number(&value["blockDaaScore"]),
        is_coinbase: value["isCoinbase"].as_bool().unwrap_or(false),
        covenant_id: value.get("covenantId").filter(|id| id.is_string()).map(|id| array::<32>(id).into()),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn judge(case: &Value) -> Value {
    let fields = &case["transaction"];
    let version = number(&fields["version"]) as u16;
    let transaction = Transaction::new(
        version,
        list(&fields["inputs"]).iter().map(|value| input(value, version)).collect(),
        list(&fields["outputs"]).iter().map(output).collect(),
        number(&fields["lockTime"]),
        SubnetworkId::from_bytes(array::<20>(&fields["subnetworkId"])),
        number(&fields["gas"]),
        bytes(&fields["payload"]),
    );
    let entries: Vec<UtxoEntry> = list(&case["spent"]).iter().map(entry).collect();
    let populated = PopulatedTransaction::new(&transaction, entries.clone());
    let covenants = match CovenantsContext::from_tx(&populated) {
        Ok(covenants) => covenants,
        Err(error) => return json!({ "outcome": format!("covenants error: {error}"), "units": 0 }),
    };
    let index = case["input"].as_u64().unwrap_or(0) as usize;
    let cache = Cache::new(0);
    let reused = SigHashReusedValuesUnsync::new();
    let context = EngineCtx::new(&cache).with_reused(&reused).with_covenants_ctx(&covenants);
    let limit: ScriptUnits = transaction.inputs[index].compute_commit.allowed_script_units();
    let mut engine = TxScriptEngine::from_transaction_input_with_script_units_limit(
        &populated,
        &transaction.inputs[index],
        index,
        &entries[index],
        context,
        EngineFlags::default(),
        limit,
    );
    let outcome = match engine.execute() {
        Ok(()) => "accepted".to_string(),
        Err(error) => error.to_string(),
    };
    json!({ "outcome": outcome, "units": engine.used_script_units().0 })
}

fn main() {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        writeln!(output, "{}", judge(&case)).expect("standard output");
        output.flush().expect("standard output");
    }
}
