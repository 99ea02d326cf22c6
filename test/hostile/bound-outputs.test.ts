import { schnorr } from '@noble/curves/secp256k1.js'
import { firstValueFrom, filter, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode, type DevnodeAccount } from '../../src/devnode/index.js'
import { createCore } from '../../src/engine/core.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { feature } from '../../src/engine/core-parts.js'
import { transferHistory } from '../../src/engine/features/transfer-history.js'
import { fromHex } from '../../src/model/hex.js'
import { toTransaction } from '../../src/model/serialized-transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import type { TransactionSigner } from '../../src/sdk/port.js'
import type { TransferEntry } from '../../src/streams/transfers/history/entry.js'
import type { TransferTransaction } from '../../src/streams/transfers/transfer.js'
import type { Balance } from '../../src/streams/utxos/view/state.js'
import { KAS, scriptAddress } from '../operations/transactions/accounts.js'
import { boundPayment } from './bound-payment.js'
import { ENCODINGS } from '../wire-node.js'

const signerOf = ({ privateKeyHex }: DevnodeAccount): TransactionSigner => ({
  sign: (requests) => Promise.resolve(requests.map(({ sighash }) => schnorr.sign(sighash, fromHex(privateKeyHex)))),
})

describe.each(ENCODINGS)('F4 outputs that a stranger binds to a covenant, %s', (encoding) => {
  const stopped: AbortController[] = []
  let devnode: Devnode
  let engine: ChainEngine
  let stranger: DevnodeAccount
  let payee: DevnodeAccount
  let bound: ReturnType<typeof boundPayment>
  let url: string

  beforeEach(async () => {
    devnode = await createDevnode({ blockInterval: 0, accounts: 2, balance: 1_000n * KAS })
    const [first, second] = devnode.accounts
    stranger = first!
    payee = second!
    url = encoding === 'Borsh' ? devnode.urls.borsh : devnode.urls.json
    engine = createChainEngine({ network: 'simnet', encoding, url })
    await engine.connection.connect()
    const paid = [
      { address: payee.address, amount: 7n * KAS },
      { address: scriptAddress, amount: 3n * KAS },
    ]
    bound = boundPayment(devnode, paid, encoding)
  })
  afterEach(async () => {
    for (const controller of stopped.splice(0)) controller.abort()
    await engine.dispose()
    await devnode.close()
  })

  const untilBalance = (address: string, isReached: (balance: Balance) => boolean): Promise<unknown> =>
    firstValueFrom(
      engine
        .balances$([address], { mempoolInterval: 100 })
        .pipe(filter(({ freshness, balance }) => freshness === 'fresh' && isReached(balance))),
    )

  /** The opening credits of both addresses, and the first transactions after them, which `act` makes. */
  async function follow(act: () => Promise<void>) {
    const controller = new AbortController()
    stopped.push(controller)
    const addresses = [payee.address, scriptAddress]
    let opening: readonly TransferTransaction[] | undefined
    for await (const { transactions } of engine.followTransfers({
      addresses,
      minConfirmations: 0,
      signal: controller.signal,
    })) {
      if (opening !== undefined && transactions.length > 0) return { opening, moved: transactions }
      if (opening === undefined) {
        opening = transactions
        await act()
        await devnode.mine(2)
      }
    }
    throw new Error('The iteration ended')
  }

  it('are credited to the key that may spend them, with the covenant, and not to a script', async () => {
    const { moved } = await follow(bound.submit)
    expect(moved.map(({ transactionId: id, net }) => [id, net])).toEqual([[bound.id, 7n * KAS]])
    const [{ transfers }] = moved as [TransferTransaction]
    expect(transfers).toMatchObject([
      { address: payee.address, direction: 'credit', amount: 7n * KAS, covenantId: bound.covenantId },
    ])
  })

  it('are rows of a history for the key, in the mempool and accepted, and not for a script', async () => {
    const core = createCore({ network: 'simnet', encoding, url })
    const rows: { payee: readonly string[]; script: readonly string[] } = { payee: [], script: [] }
    const textOf = ({ transactionId: id, status, net }: TransferEntry): string => `${id} ${status} ${net}`
    const open = (address: string, onRows: (list: readonly string[]) => void) =>
      feature(core, transferHistory)(of([address]), { indexer: false, mempoolInterval: 100 })
        .state$.pipe(filter(({ freshness }) => freshness === 'fresh'))
        .subscribe(({ transfers }) => onRows(transfers.map(textOf)))
    const seen = { script: 0 }
    const lists = open(payee.address, (list) => (rows.payee = list))
    lists.add(
      open(scriptAddress, (list) => {
        rows.script = list
        seen.script++
      }),
    )
    await expect.poll(() => seen.script).toBeGreaterThan(0)
    await bound.submit()
    await expect.poll(() => rows.payee).toEqual([`${bound.id} unconfirmed ${7n * KAS}`])
    await devnode.mine(2)
    await expect.poll(() => rows.payee).toEqual([`${bound.id} accepted ${7n * KAS}`])
    expect(rows.script).toEqual([])
    lists.unsubscribe()
    await core.dispose()
  })

  it('are shown apart from what is mature, from the mempool on', async () => {
    const before = 1_000n * KAS
    const pending = untilBalance(payee.address, ({ unconfirmed }) => unconfirmed === 7n * KAS)
    await bound.submit()
    await pending
    await devnode.mine(2)
    await untilBalance(
      payee.address,
      ({ total, mature, bound: sum }) => total === before + 7n * KAS && mature === before && sum === 7n * KAS,
    )
    await untilBalance(scriptAddress, ({ total, bound: sum }) => total === 0n && sum === 0n)
  })

  it('are spent only with spendBound, by the node at the planned fee and mass', async () => {
    await bound.submit()
    await devnode.mine(2)
    const entries = await engine.rpc.getUtxosByAddresses([payee.address, scriptAddress])
    const isBound = ({ covenantId }: { readonly covenantId?: string | undefined }): boolean => covenantId !== undefined
    expect(entries.filter(isBound)).toHaveLength(2)
    const sweep = { entries: entries.filter(isBound), to: stranger.address, signer: signerOf(payee) }
    await expect(engine.transactions.sweep(sweep)).rejects.toMatchObject({
      code: 'insufficient-funds',
      outcome: 'unsent',
      spendable: 0n,
      bound: 7n * KAS,
    })
    const all = {
      entries,
      changeAddress: payee.address,
      outputs: [{ address: stranger.address, amount: 1_003n * KAS }],
    }
    await expect(engine.transactions.estimate(all)).rejects.toMatchObject({ bound: 7n * KAS })

    const { transactions } = await engine.transactions.create({ ...all, spendBound: true })
    expect(transactions.map((one) => transactionId(toTransaction(one.serialize())))).toEqual(
      transactions.map(({ id }) => id),
    )
    const ids: string[] = []
    const { opening, moved } = await follow(async () => {
      const { transactionIds } = await engine.transactions.sweep({ ...sweep, spendBound: true })
      ids.push(...transactionIds)
    })
    expect(opening.flatMap(({ transfers }) => transfers)).toContainEqual(
      expect.objectContaining({ amount: 7n * KAS, covenantId: bound.covenantId }),
    )
    expect(opening.flatMap(({ transfers }) => transfers).every(({ address }) => address === payee.address)).toBe(true)
    expect(moved.map(({ transactionId: id, net }) => [id, net])).toEqual([[ids[0], -7n * KAS]])
    expect(moved[0]?.transfers).toMatchObject([{ direction: 'debit', covenantId: bound.covenantId }])
    await untilBalance(payee.address, ({ bound: sum, total }) => sum === 0n && total === 1_000n * KAS)
  })
})
