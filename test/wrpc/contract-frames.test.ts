import { describe, expect, it } from 'vitest'
import type { RpcResponse } from '../../src/node/messages/records.js'
import type { WireCodec } from '../../src/wrpc/codec.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { toTransaction, type RecordedSpend } from '../script/recorded.js'
import { bytesOf, fixture, textOf } from './recorded.js'

/** One call of a contract, as kaspad 2.1.0 shows it: 7 becomes 10. */

interface Exchange {
  readonly response: string
}

const recorded = fixture('contracts/call-recorded.json') as {
  readonly id: string
  readonly transaction: RecordedSpend['transaction']
  readonly borsh: readonly { readonly raw: string }[]
  readonly json: readonly { readonly raw: string }[]
  readonly v2_Full_borsh: Exchange
  readonly v2_Full_json: Exchange
}
const borsh = createBorshCodec()
const json = createJsonCodec()

const notificationOf = (codec: WireCodec, frame: Parameters<WireCodec['decodeMessage']>[0]): unknown => {
  const message = codec.decodeMessage(frame)
  return message.kind === 'notification' ? message.notification : message
}

describe('a call of a contract', () => {
  it('is one notification in both encodings, and encodes to the same frames', () => {
    const pairs = recorded.borsh.map(({ raw }, at) => [bytesOf(raw), recorded.json[at]!.raw] as const)
    for (const [bytes, text] of pairs) {
      const message = borsh.decodeMessage(bytes)
      expect(notificationOf(json, text)).toEqual(notificationOf(borsh, bytes))
      if (message.kind !== 'notification') throw new Error('The frame is no notification')
      expect(textOf(borsh.encodeNotification(message.notification))).toBe(textOf(bytes))
    }
  })

  it.each([
    ['Borsh', borsh, bytesOf(recorded.v2_Full_borsh.response)],
    ['JSON', json, recorded.v2_Full_json.response],
  ])('has its version, budgets, covenants and spent outputs in a page of the chain in %s', (_, codec, frame) => {
    const message = codec.decodeMessage(frame, () => 'getVirtualChainFromBlockV2')
    if (message.kind !== 'response') throw new Error('The frame is no response')
    const page = message.response as RpcResponse<'getVirtualChainFromBlockV2'>
    const accepted = page.chainBlockAcceptedTransactions.flatMap((block) => block.acceptedTransactions)
    const call = accepted.find(({ verboseData }) => verboseData?.transactionId === recorded.id)
    const { version, inputs, outputs } = toTransaction({ transaction: recorded.transaction, spent: [] })
    expect(call).toMatchObject({
      version,
      inputs: inputs.map(({ previousOutpoint, signatureScript, sequence, computeBudget }) => ({
        ...{ previousOutpoint, signatureScript, sequence, computeBudget },
        verboseData: { utxoEntry: { scriptPublicKey: expect.anything() as unknown } },
      })),
      outputs: outputs.map(({ value, covenant }) => ({ value, ...(covenant && { covenant }) })),
    })
    expect(call?.inputs[0]?.verboseData?.utxoEntry?.covenantId).toBe(outputs[0]!.covenant!.covenantId)
  })
})
