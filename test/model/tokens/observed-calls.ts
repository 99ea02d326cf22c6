import { decodeCall } from '../../../src/model/contracts/decode-call.js'
import { collect, type Compared, type Json } from '../contracts/kcc-vectors.js'
import { tokenOf } from './reference-program.js'

/** Transfers that real networks have accepted: the states that their calls name are those of the outputs. */

export interface ObservedCalls {
  /** A redeem script of the program. */
  readonly script: Uint8Array
  readonly spends: readonly Json[]
}

export const compareObserved = ({ script, spends }: ObservedCalls): readonly Compared[] =>
  collect('observed', (compare) => {
    const { contract, transfer, delegate } = tokenOf(script)
    for (const { network, txid, leader_sig: leader, inputs, outputs } of spends) {
      const call = decodeCall(contract, leader)
      const states = (call?.args?.[transfer.states] ?? []) as readonly never[]
      compare('entry', txid, () => call?.entry, transfer.entry)
      const scripts = (outputs as readonly Json[]).map((output) => output.spk as string)
      const named = states.map((state) => contract.scriptPublicKey(state).script)
      compare(`outputs on ${String(network)}`, txid, () => named, scripts)
      const [first, ...others] = inputs as readonly Json[]
      const state = contract.decodeState(call?.redeemScript ?? '')
      compare('spent state', txid, () => contract.scriptPublicKey(state as never).script, first?.spk)
      const tags = others.map((input) => input.tag as string)
      compare('delegates', txid, () => tags.every((tag) => tag === 'fd3ef14a'), delegate.entry === 'transfer_delegator')
    }
  })
