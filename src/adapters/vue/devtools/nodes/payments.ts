import { type CoreParts, existingFeature } from '../../../../engine/core-parts.js'
import { unconfirmed } from '../../../../engine/features/unconfirmed.js'
import { toAddress } from '../../../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../../../model/network.js'
import type { TransactionOutput } from '../../../../model/transaction.js'
import { toOutpointKey } from '../../../../model/utxo.js'
import type { OwnStatus, UnconfirmedRecord } from '../../../../streams/utxos/unconfirmed/record.js'
import { amountFields, fieldsOf, tag } from '../fields.js'
import type { Field, InspectorNode } from '../inspector-node.js'

const TONES = {
  none: 'plain',
  pending: 'busy',
  accepted: 'good',
  reverted: 'bad',
  conflicting: 'bad',
} as const satisfies Record<OwnStatus['step'], string>

/** Own payments that are not accepted yet, or no longer. */
export function paymentsNode(core: CoreParts): InspectorNode {
  const records = [...(existingFeature(core, unconfirmed)?.records.all.values() ?? [])].filter(isInFlight)
  return {
    id: 'payments',
    label: 'Payments in flight',
    tags: [tag(String(records.length))],
    children: records.map((record) => paymentNode(record, core.network())),
    state: () => ({ payments: fieldsOf({ inFlight: records.length }) }),
  }
}

const isInFlight = ({ own }: UnconfirmedRecord): boolean => own.step !== 'none' && own.step !== 'accepted'

function paymentNode({ transaction, own, mempool }: UnconfirmedRecord, network: ChainNetwork): InspectorNode {
  const { id, inputs, outputs } = transaction
  const sent = outputs.reduce((total, { value }) => total + value, 0n)
  return {
    id: `payments/${id}`,
    label: id,
    tags: [tag(own.step, TONES[own.step]), tag(`mempool: ${mempool.step}`)],
    state: () => ({
      payment: [
        ...fieldsOf({ id, step: own.step, mempool: mempool.step }),
        ...amountFields('outputs, change included', sent, network),
      ],
      spends: inputs.map(({ outpoint }, index) => ({ key: String(index), value: toOutpointKey(outpoint) })),
      outputs: outputs.flatMap((output, index) => outputFields(output, index, network)),
    }),
  }
}

function outputFields({ value, scriptPublicKey }: TransactionOutput, index: number, network: ChainNetwork): Field[] {
  const address = toAddress(scriptPublicKey, NETWORKS[network].addressPrefix) ?? null
  return [{ key: `${index} address`, value: address }, ...amountFields(`${index} value`, value, network)]
}
