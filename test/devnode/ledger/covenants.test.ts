import { describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import frames from '../../fixtures/node-2.1.0/borsh.json'
import { networkWith, toTransaction, type RecordedTransaction } from './recorded.js'
import { send } from './wallet.js'
import { mineOn } from './world.js'

/** Transactions under a covenant, as a real node took them. */

const call = (name: string): object => {
  const found = (frames.calls as readonly { readonly name: string }[]).find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`No call is recorded as ${name}`)
  return found
}

const begins = (call('getBlockTemplate') as { decoded: { block: { transactions: readonly RecordedTransaction[] } } })
  .decoded.block.transactions[1]!
const continues = (
  call('submitTransaction:spends a covenant coin') as { requestDecoded: { transaction: RecordedTransaction } }
).requestDecoded.transaction
const COVENANT = begins.outputs[0]!.covenant!.covenantId

/** The coinbase of 50 KAS that was spent to begin the covenant. */
const coin: UtxoEntry = {
  outpoint: begins.inputs[0]!.previousOutpoint,
  amount: 5_000_000_000n,
  scriptPublicKey: { version: 0, script: '203c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1ac' },
  blockDaaScore: 0n,
  isCoinbase: false,
}
const tells = (transaction: RecordedTransaction, network = networkWith([coin])) => {
  const admission = send(network, toTransaction(transaction))
  return admission.kind === 'refused' ? admission.message.replace(/^Rejected transaction \w+: /, '') : admission.kind
}

describe('a covenant', () => {
  it('begins with an id that follows from its coin and its outputs, and goes on by that id', () => {
    const network = networkWith([coin])
    expect(tells(begins, network)).toBe('admitted')
    mineOn(network)
    const { transactionId } = continues.inputs[0]!.previousOutpoint
    expect(network.state.coins.get({ transactionId, index: 0 })?.covenantId).toBe(COVENANT)
    expect(tells(continues, network)).toBe('admitted')
  })

  const bindTo = (covenant: {
    readonly authorizingInput: number
    readonly covenantId: string
  }): RecordedTransaction => ({
    ...begins,
    outputs: begins.outputs.map((output) => ({ ...output, covenant })),
  })

  it('does not begin with any other id, nor with an input that is not there', () => {
    expect(tells(bindTo({ authorizingInput: 0, covenantId: COVENANT }))).toBe(
      `covenants error: input #0 and outputs with covenant id ${COVENANT} do not correspond to the expected genesis hashing`,
    )
    expect(tells(bindTo({ authorizingInput: 4, covenantId: COVENANT }))).toBe(
      'covenants error: output #0 covenant authorizing input index 4 is out of bounds',
    )
  })
})
