import type { Pskt } from '../../model/pskb/records.js'
import { SIGHASH_TYPES } from '../../model/sighash.js'
import type { Transaction } from '../../model/transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'

/** An unsigned transaction as a bundle has it. A payload needs version 1; other software reads version 0 only. */
export const createPskt = ({ version, inputs, outputs, payload }: Transaction, spent: readonly UtxoEntry[]): Pskt => ({
  global: {
    version: payload === '' ? 0 : 1,
    txVersion: version,
    fallbackLockTime: null,
    inputsModifiable: false,
    outputsModifiable: false,
    xpubs: new Map(),
    id: null,
    proprietaries: new Map(),
    unknowns: new Map(),
    payload: payload === '' ? null : payload,
  },
  inputs: inputs.map(({ previousOutpoint, sequence, sigOpCount }, at) => ({
    utxoEntry: toStated(spent[at]),
    previousOutpoint,
    sequence,
    minTime: null,
    partialSigs: new Map(),
    sighashType: SIGHASH_TYPES.All,
    redeemScript: null,
    sigOpCount,
    bip32Derivations: new Map(),
    finalScriptSig: null,
    proprietaries: new Map(),
    unknowns: new Map(),
  })),
  outputs: outputs.map(({ value, scriptPublicKey }) => ({
    amount: value,
    scriptPublicKey,
    redeemScript: null,
    bip32Derivations: new Map(),
    covenant: null,
    proprietaries: new Map(),
    unknowns: new Map(),
  })),
  unknowns: new Map(),
})

const toStated = (entry: UtxoEntry | undefined): Pskt['inputs'][number]['utxoEntry'] =>
  entry === undefined
    ? null
    : {
        amount: entry.amount,
        scriptPublicKey: entry.scriptPublicKey,
        blockDaaScore: entry.blockDaaScore,
        isCoinbase: entry.isCoinbase,
        covenantId: entry.covenantId ?? null,
      }
