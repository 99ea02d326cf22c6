import { covenantIdOf } from '../../../src/model/covenant-id.js'
import { toHex } from '../../../src/model/hex.js'
import { NATIVE_SUBNETWORK, type TransactionInput, type TransactionOutput } from '../../../src/model/transaction.js'
import type { Outpoint, UtxoEntry } from '../../../src/model/utxo.js'
import type { Choose } from './choose.js'
import { KEY_SCRIPT, withGenesis, type Spend } from './spend.js'
import { push, op, scriptHash } from './writing.js'

const KAS = 100_000_000n
/** Spent outputs: each pays for all outputs and the fee of its spend, and has little storage mass. */
const SPENT = [100n * KAS, 123n * KAS + 456_789n, 250n * KAS]
const CREATED = [KAS, 2n * KAS, 3n * KAS + 1n]
/** Final in a chain of a few blocks. */
const LOCK_TIMES = [0n, 5n, 16n, 500_000_000_000n, 1_700_000_000_000n]
/** Disabled, or met by an output of a few blocks. */
const SEQUENCES = [0n, 1n, 5n, 2n ** 32n + 3n, 2n ** 63n, 2n ** 63n + 7n, 2n ** 64n - 1n]
/** Outpoint and score of outputs that are still to be created. */
const PLANNED = { outpoint: { transactionId: '0'.repeat(64), index: 0 }, blockDaaScore: 0n, isCoinbase: false }

/** `randomSpend` within the rules of a node besides those of input 0; the outpoints follow by `withOutpoints`. */
export function randomNodeSpend(choose: Choose, covenantIds: readonly string[]): Spend {
  const version = choose.is(0.85) ? 1 : 0
  const ids = [choose.one(covenantIds), choose.one(covenantIds)]
  const planned = Array.from({ length: 1 + choose.below(3) }, () => plannedInput(choose, version, ids))
  const [spent, inputs] = [planned.map(({ utxo }) => utxo), planned.map(({ input }) => input)]
  const outputs = Array.from({ length: choose.below(5) }, () => randomOutput(choose, version, spent))
  const isLane = version === 1 && choose.is(0.2)
  return {
    spent,
    transaction: {
      version,
      inputs,
      outputs: withGenesis(choose, inputs, outputs, version),
      lockTime: choose.one(LOCK_TIMES),
      subnetworkId: isLane ? `ab${toHex(choose.bytes(3))}${'00'.repeat(16)}` : NATIVE_SUBNETWORK,
      gas: isLane ? choose.one([0n, 7n, 1_000n]) : 0n,
      payload: toHex(choose.bytes(choose.one([0, 0, 3, 40]))),
      mass: 0n,
    },
  }
}

/** The spend of outputs that were created: outpoints, their score, and the ids of what begins at them. */
export function withOutpoints({ transaction, spent }: Spend, outpoints: readonly Outpoint[], score: bigint): Spend {
  const inputs = transaction.inputs.map((input, index) => ({ ...input, previousOutpoint: outpoints[index]! }))
  const begun = [...transaction.outputs.entries()].filter(
    ([, { covenant }]) => covenant && covenant.covenantId !== spent[covenant.authorizingInput]?.covenantId,
  )
  const authorizingInput = begun[0]?.[1].covenant?.authorizingInput ?? 0
  const covenantId = covenantIdOf(
    outpoints[authorizingInput]!,
    begun.map(([index, output]) => ({ ...output, index })),
  )
  const isBegun = new Set(begun.map(([index]) => index))
  const outputs = transaction.outputs.map((output, index) =>
    isBegun.has(index) ? { ...output, covenant: { authorizingInput, covenantId } } : output,
  )
  return {
    transaction: { ...transaction, inputs, outputs },
    spent: spent.map((utxo, index) => ({ ...utxo, outpoint: outpoints[index]!, blockDaaScore: score })),
  }
}

/** An input whose script drops some bytes and succeeds; input 0 gets another one. */
function plannedInput(
  choose: Choose,
  version: number,
  ids: readonly string[],
): { readonly utxo: UtxoEntry; readonly input: TransactionInput } {
  const redeemScript = push(choose.bytes(1 + choose.below(20))) + op(0x75) + op(0x51)
  return {
    utxo: {
      ...PLANNED,
      amount: choose.one(SPENT),
      scriptPublicKey: { version: 0, script: scriptHash(redeemScript) },
      ...(choose.is(0.6) && { covenantId: choose.one(ids) }),
    },
    input: {
      previousOutpoint: PLANNED.outpoint,
      signatureScript: op(redeemScript.length / 2) + redeemScript,
      sequence: choose.one(SEQUENCES),
      sigOpCount: version === 0 ? choose.one([0, 1, 2, 5]) : 0,
      ...(version === 1 && { computeBudget: choose.one([0, 0, 1, 10, 11, 20, 60, 200]) }),
    },
  }
}

function randomOutput(choose: Choose, version: number, spent: readonly UtxoEntry[]): TransactionOutput {
  const authorizingInput = choose.below(spent.length)
  const covenantId = spent[authorizingInput]?.covenantId
  const isBound = version === 1 && covenantId !== undefined && choose.is(0.7)
  return {
    value: choose.one(CREATED),
    scriptPublicKey: { version: 0, script: choose.one([KEY_SCRIPT, `aa20${toHex(choose.bytes(32))}87`]) },
    ...(isBound && { covenant: { authorizingInput, covenantId } }),
  }
}
