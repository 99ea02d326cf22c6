import { partsOf, feature } from '../engine/core-parts.js'
import { sharedClaims } from '../engine/claims/shared-claims.js'
import { toScriptPublicKey } from '../model/address.js'
import type { UnconfirmedTransaction } from '../model/unconfirmed-transaction.js'
import type { JournalChange, JournalScope, JournalSession, PayoutAttempt } from '../streams/payouts/journal.js'
import type { WorkContext } from './work.js'

type MirrorContext = Pick<WorkContext, 'engine' | 'options' | 'scope'>

/**
 * The session of a journal in a page, with a copy of its claims in those that the tabs share: `send` in another tab
 * selects no UTXO that the queue has signed. The copy is written before the payment is submitted, and again with each
 * session. Other journals, and tabs that share no claims, keep their session. Closes it where it rejects.
 */
export async function mirrorClaims(
  session: JournalSession,
  { engine, options, scope }: MirrorContext,
): Promise<JournalSession> {
  const claims = feature(partsOf(engine), sharedClaims)
  const { database } = options.journal
  if (claims === undefined || database === undefined) return session
  const update = async (): Promise<void> => {
    const groups = await session.groups({ of: 'open' })
    const payments = groups.flatMap(({ attempts }) => attempts.map(toPayment))
    await claims.mirror(ownerOf(database, scope), {
      network: scope.network,
      payments,
      change: toScriptPublicKey(options.changeAddress),
      replaces: undefined,
    })
  }
  try {
    await update()
  } catch (error) {
    await session.close() // its lock would keep all tabs waiting
    throw error
  }
  return {
    ...session,
    async write(change) {
      const isWritten = await session.write(change)
      if (isWritten && changesClaims(change)) await update()
      return isWritten
    },
  }
}

const ownerOf = (database: string, { name }: JournalScope): string => `${database} ${name}`

const changesClaims = ({ newAttempt, groups = [] }: JournalChange): boolean =>
  newAttempt !== undefined || groups.length > 0

function toPayment({ transactionId, signed: { inputs, outputs, restore } }: PayoutAttempt): UnconfirmedTransaction {
  return {
    id: transactionId,
    inputs: inputs.map(({ previousOutpoint }, at) => ({
      outpoint: previousOutpoint,
      scriptPublicKey: restore?.spent[at]?.scriptPublicKey,
    })),
    outputs: outputs.map(({ value, scriptPublicKey }) => ({ value: BigInt(value), scriptPublicKey })),
  }
}
