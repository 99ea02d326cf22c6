// Pays queued withdrawals in batches, and brings what was signed to the network until the chain has accepted it.
import { randomUUID } from 'node:crypto'
import { addAttempt, finalId, nextBatch, spendableFor, unconfirmedOf } from './wallet.js'

/**
 * @param {{ engine: import('vue-chain/streams').ChainEngine, store: any, address: string, privateKey: string }} context
 */
export function createPayments({ engine, store, address, privateKey }) {
  /** Restored transactions by id: each is restored once, which reserves its inputs. */
  const restored = new Map()

  const settings = async (batchId) => {
    const entries = await engine.rpc.getUtxosByAddresses([address])
    return {
      entries: spendableFor(store.get(), batchId, entries),
      changeAddress: address,
      privateKeys: [privateKey],
    }
  }
  /** Signed transactions are stored before they are sent: a kill in between loses and doubles nothing. */
  const storeAs = (type, batchId, withdrawals) => ({
    onSigned: (payments) => store.update((wallet) => addAttempt(wallet, batchId, { type, payments }, withdrawals)),
  })
  const withdrawalsOf = (batchId) =>
    Object.values(store.get().withdrawals).filter((withdrawal) => withdrawal.batch === batchId)
  const toOutputs = (withdrawals) => withdrawals.map(({ address: to, amount }) => ({ address: to, amount }))

  async function restore(payment) {
    const known = restored.get(payment.id) ?? (await engine.transactions.restore(payment))
    restored.set(payment.id, known)
    return known
  }

  return {
    /** At the start, before any new payment: reserves the inputs of everything that was signed and is not confirmed. */
    async restoreAll() {
      for (const { attempts } of unconfirmedOf(store.get()))
        for (const payment of attempts.flatMap(({ payments }) => payments)) await restore(payment)
    },
    /** Pays the oldest queued withdrawals with one transaction. */
    async payQueued() {
      const withdrawals = nextBatch(store.get())
      if (withdrawals.length === 0) return
      const batchId = randomUUID()
      const payment = { ...(await settings(batchId)), outputs: toOutputs(withdrawals), feeRate: 'normal' }
      await engine.transactions.send(payment, storeAs('pay', batchId, withdrawals))
    },
    /**
     * Submits again what is not confirmed: the newest attempt that the node takes. Submitting is safe at any time, on any node: all
     * attempts of a batch spend the same inputs. Whatever a node replies, a withdrawal is never moved to another batch: its
     * signed transaction could still be accepted. Only the chain settles it.
     */
    async submitUnconfirmed() {
      for (const { attempts } of unconfirmedOf(store.get())) await submitNewest([...attempts].reverse())
    },
    /** Replaces a payment by the same one with a higher fee. */
    async speedUp(batchId) {
      const { attempts } = store.get().batches[batchId]
      const outputs = toOutputs(withdrawalsOf(batchId))
      const replacement = { ...(await settings(batchId)), outputs, replaces: finalId(attempts.at(-1)) }
      await engine.transactions.send(replacement, storeAs('pay', batchId, []))
    },
    /** Replaces a payment by one that returns its inputs. Which of the two the network accepts shows the status. */
    async cancel(batchId) {
      const { attempts } = store.get().batches[batchId]
      await engine.transactions.cancel(
        finalId(attempts.at(-1)),
        await settings(batchId),
        storeAs('cancel', batchId, []),
      )
    },
  }

  async function submitNewest(attempts) {
    for (const { payments } of attempts) {
      try {
        for (const payment of payments) await (await restore(payment)).submit()
        return
      } catch (error) {
        console.error(`${payments.at(-1).id}: ${String(error)}`) // an older attempt may be the one that the network has
      }
    }
  }
}
