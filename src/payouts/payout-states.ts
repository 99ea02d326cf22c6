import type { JournalAccess, PayoutGroup, PayoutRecord } from '../streams/payouts/journal.js'
import type { PayoutState } from '../streams/payouts/payouts.js'

/** Records with the attempts of their groups. */
export async function toStates(
  records: readonly PayoutRecord[],
  journal: Pick<JournalAccess, 'groups'>,
): Promise<readonly PayoutState[]> {
  const ids = [...new Set(records.flatMap(({ group }) => group ?? []))]
  const groups = ids.length === 0 ? [] : await journal.groups({ of: 'ids', ids })
  const byId = new Map(groups.map((group) => [group.id, group]))
  return records.map((record) => toState(record, byId.get(record.group ?? '')))
}

function toState(record: PayoutRecord, group: PayoutGroup | undefined): PayoutState {
  const { id, address, amount, notBefore, requestedAt, sequence, progress } = record
  const attempts = (group?.attempts ?? []).map((attempt) => {
    const { transactionId, kind, fee, acceptedBlueScore, acceptingBlock, outcome, lastResponse, pays } = attempt
    const facts = { transactionId, kind, fee, acceptedBlueScore, acceptingBlock, outcome, lastResponse }
    return { ...facts, pays: pays.includes(id) }
  })
  return { ...progress, id, address, amount, notBefore, requestedAt, sequence, attempts }
}
