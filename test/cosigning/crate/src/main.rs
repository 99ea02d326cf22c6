//! The other cosigner: crate kaspa-wallet-pskt 2.1.0 behind one JSON object a line. Each has `op` and `text`.
//! `read` writes the text again and computes the ids, `sign` adds the signatures of `key` (hex) to every input, Schnorr or
//! with `ecdsa`, `combine` adds the signatures of `other`.

use std::io::{BufRead, Write};

use kaspa_bip32::secp256k1::{Keypair, Message, Secp256k1};
use kaspa_consensus_core::hashing::sighash::{SigHashReusedValuesUnsync, calc_ecdsa_signature_hash, calc_schnorr_signature_hash};
use kaspa_wallet_pskt::prelude::*;
use serde_json::{Value, json};

fn read(value: &Value) -> Result<Bundle, String> {
    Bundle::deserialize(value.as_str().ok_or("no text")?).map_err(|error| error.to_string())
}

fn write(bundle: &Bundle) -> Result<Value, String> {
    let text = bundle.serialize().map_err(|error| error.to_string())?;
    let ids: Vec<Option<String>> = bundle.iter().map(id).collect();
    Ok(json!({ "text": text, "ids": ids }))
}

/// None where the crate panics: an input without its UTXO entry, a transaction of version 1.
fn id(inner: &Inner) -> Option<String> {
    let compute = || PSKT::<Signer>::from(inner.clone()).calculate_id().to_string();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(compute)).ok()
}

fn sign(inner: Inner, key: &str, ecdsa: bool) -> Result<PSKT<Signer>, String> {
    let secp = Secp256k1::new();
    let keypair = Keypair::from_seckey_str(&secp, key).map_err(|error| error.to_string())?;
    PSKT::<Signer>::from(inner).pass_signature_sync(|transaction, types| -> Result<Vec<SignInputOk>, String> {
        let reused = SigHashReusedValuesUnsync::new();
        let (inputs, verifiable) = (transaction.tx.inputs.len(), transaction.as_verifiable());
        let signed = (0..inputs).map(|at| {
            let signature = if ecdsa {
                let hash = calc_ecdsa_signature_hash(&verifiable, at, types[at], &reused);
                Signature::ECDSA(keypair.secret_key().sign_ecdsa(Message::from_digest_slice(&hash.as_bytes()).expect("32 bytes")))
            } else {
                let hash = calc_schnorr_signature_hash(&verifiable, at, types[at], &reused);
                Signature::Schnorr(keypair.sign_schnorr(Message::from_digest_slice(&hash.as_bytes()).expect("32 bytes")))
            };
            SignInputOk { signature, pub_key: keypair.public_key(), key_source: None }
        });
        Ok(signed.collect())
    })
}

fn combine(left: Bundle, right: Bundle) -> Result<Bundle, String> {
    let pairs = left.iter().zip(right.iter()).map(|(left, right)| {
        let combiner = PSKT::<Signer>::from(left.clone()).combiner();
        (combiner + PSKT::<Signer>::from(right.clone())).map_err(|error| error.to_string())
    });
    Ok(Bundle::from(pairs.collect::<Result<Vec<_>, String>>()?))
}

fn reply(request: &Value) -> Result<Value, String> {
    let bundle = read(&request["text"])?;
    match request["op"].as_str() {
        Some("read") => write(&bundle),
        Some("sign") => {
            let (key, ecdsa) = (request["key"].as_str().ok_or("no key")?, request["ecdsa"].as_bool().unwrap_or(false));
            let signed = bundle.iter().map(|inner| sign(inner.clone(), key, ecdsa)).collect::<Result<Vec<_>, String>>()?;
            write(&Bundle::from(signed))
        }
        Some("combine") => write(&combine(bundle, read(&request["other"])?)?),
        _ => Err("unknown op".into()),
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let reply = reply(&request).unwrap_or_else(|error| json!({ "error": error }));
        writeln!(output, "{reply}").expect("standard output");
    }
}
