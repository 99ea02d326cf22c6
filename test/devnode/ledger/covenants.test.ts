import { describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import frames from '../../fixtures/node-2.1.0/borsh.json'
import { networkWith, toTransaction, type RecordedTransaction } from './recorded.js'
import { send } from './wallet.js'
import { mineOn } from './simnet.js'

/** Covenant transactions that a real node admitted. */

const recordedCall = (name: string): object => {
  const found = (frames.calls as readonly { readonly name: string }[]).find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`No recorded call ${name}`)
  return found
}

const genesis = (
  recordedCall('getBlockTemplate') as { decoded: { block: { transactions: readonly RecordedTransaction[] } } }
).decoded.block.transactions[1]!
const continuation = (
  recordedCall('submitTransaction:spends a covenant coin') as { requestDecoded: { transaction: RecordedTransaction } }
).requestDecoded.transaction
const COVENANT = genesis.outputs[0]!.covenant!.covenantId

/** The coinbase of 50 KAS spent by the genesis of the covenant. */
const utxo: UtxoEntry = {
  outpoint: genesis.inputs[0]!.previousOutpoint,
  amount: 5_000_000_000n,
  scriptPublicKey: { version: 0, script: '203c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1ac' },
  blockDaaScore: 0n,
  isCoinbase: false,
}
const outcomeOf = (transaction: RecordedTransaction, network = networkWith([utxo])) => {
  const admission = send(network, toTransaction(transaction))
  return admission.kind === 'rejected' ? admission.message.replace(/^Rejected transaction \w+: /, '') : admission.kind
}

describe('covenants', () => {
  it('admit a genesis with the id of its input and outputs, and a continuation with the same id', () => {
    const network = networkWith([utxo])
    expect(outcomeOf(genesis, network)).toBe('admitted')
    mineOn(network)
    const { transactionId } = continuation.inputs[0]!.previousOutpoint
    expect(network.state.utxos.get({ transactionId, index: 0 })?.covenantId).toBe(COVENANT)
    expect(outcomeOf(continuation, network)).toBe('admitted')
  })

  const bindTo = (covenant: {
    readonly authorizingInput: number
    readonly covenantId: string
  }): RecordedTransaction => ({
    ...genesis,
    outputs: genesis.outputs.map((output) => ({ ...output, covenant })),
  })

  it('reject a genesis with another id or an authorizing input out of bounds', () => {
    expect(outcomeOf(bindTo({ authorizingInput: 0, covenantId: COVENANT }))).toBe(
      `covenants error: input #0 and outputs with covenant id ${COVENANT} do not correspond to the expected genesis hashing`,
    )
    expect(outcomeOf(bindTo({ authorizingInput: 4, covenantId: COVENANT }))).toBe(
      'covenants error: output #0 covenant authorizing input index 4 is out of bounds',
    )
  })
})
