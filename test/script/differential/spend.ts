import { covenantIdOf } from '../../../src/model/covenant-id.js'
import { toHex } from '../../../src/model/hex.js'
import type { Transaction, TransactionInput, TransactionOutput } from '../../../src/model/transaction.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { Choose } from './choose.js'
import { op } from './writing.js'

/** A transaction of random form, whose input 0 will get its scripts. */
export interface Spend {
  readonly transaction: Transaction
  readonly spent: readonly UtxoEntry[]
}

const MAX_U64 = 2n ** 64n - 1n
const LOCK_TIMES = [0n, 5n, 16n, 1_000n, 499_999_999_999n, 500_000_000_000n, 1_700_000_000_000n, MAX_U64]
const SEQUENCES = [0n, 1n, 5n, 128n, 70_000n, 2n ** 32n + 3n, 2n ** 63n, 2n ** 63n + 7n, MAX_U64]
const SCORES = [0n, 1n, 1_000n, 2n ** 40n, 2n ** 63n - 1n, 2n ** 63n, MAX_U64]
const AMOUNTS = [1n, 546n, 100_000_000n, 10_000_000_000n, 2n ** 62n, 2n ** 63n]
/** The locking script of a key that no case uses. */
export const KEY_SCRIPT = `20${'79'.repeat(32)}ac`

/** One to three inputs, up to four outputs, both versions, covenants that continue and begin, locks and scores. */
export function randomSpend(choose: Choose): Spend {
  const version = choose.is(0.85) ? 1 : 0
  const ids = [toHex(choose.bytes(32)), toHex(choose.bytes(32))]
  const spent = Array.from({ length: 1 + choose.below(3) }, (_, index) => randomUtxo(choose, index, ids))
  const inputs = spent.map((utxo) => randomInput(choose, version, utxo))
  const outputs = Array.from({ length: choose.below(5) }, () => randomOutput(choose, version, spent))
  return {
    spent,
    transaction: {
      version,
      inputs,
      outputs: withGenesis(choose, inputs, outputs, version),
      lockTime: choose.one(LOCK_TIMES),
      subnetworkId: choose.is(0.8) ? '0'.repeat(40) : toHex(choose.bytes(20)),
      gas: choose.one([0n, 0n, 7n, 2n ** 33n]),
      payload: toHex(choose.bytes(choose.one([0, 0, 3, 40]))),
      mass: 0n,
    },
  }
}

const randomUtxo = (choose: Choose, index: number, ids: readonly string[]): UtxoEntry => ({
  outpoint: { transactionId: toHex(choose.bytes(32)), index: choose.below(4) },
  amount: choose.one(AMOUNTS),
  scriptPublicKey: { version: 0, script: index === 0 ? '51' : KEY_SCRIPT },
  blockDaaScore: choose.one(SCORES),
  isCoinbase: choose.is(0.2),
  ...(choose.is(0.6) && { covenantId: choose.one(ids) }),
})

const randomInput = (choose: Choose, version: number, { outpoint }: UtxoEntry): TransactionInput => ({
  previousOutpoint: outpoint,
  signatureScript: toHex(choose.bytes(choose.below(20))),
  sequence: choose.one(SEQUENCES),
  sigOpCount: version === 0 ? choose.one([0, 1, 2, 5]) : 0,
  ...(version === 1 && { computeBudget: choose.one([0, 0, 1, 10, 11, 20, 60, 200]) }),
})

function randomOutput(choose: Choose, version: number, spent: readonly UtxoEntry[]): TransactionOutput {
  const authorizingInput = choose.below(spent.length)
  const covenantId = spent[authorizingInput]?.covenantId
  const isBound = version === 1 && covenantId !== undefined && choose.is(0.7)
  const script = choose.one([KEY_SCRIPT, `aa20${toHex(choose.bytes(32))}87`, op(0x51)])
  return {
    value: choose.one(AMOUNTS),
    scriptPublicKey: { version: choose.is(0.9) ? 0 : choose.below(0x10000), script },
    ...(isBound && { covenant: { authorizingInput, covenantId } }),
  }
}

/** Begins a covenant with the outputs that are not bound, in some cases. */
export function withGenesis(
  choose: Choose,
  inputs: readonly TransactionInput[],
  outputs: readonly TransactionOutput[],
  version: number,
): readonly TransactionOutput[] {
  const free = [...outputs.entries()].filter(([, { covenant }]) => covenant === undefined)
  if (version === 0 || free.length === 0 || !choose.is(0.3)) return outputs
  const authorizingInput = choose.below(inputs.length)
  const covenantId = covenantIdOf(
    inputs[authorizingInput]!.previousOutpoint,
    free.map(([index, output]) => ({ ...output, index })),
  )
  return outputs.map((output) => (output.covenant ? output : { ...output, covenant: { authorizingInput, covenantId } }))
}
