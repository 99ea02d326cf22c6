import type { CreateTransactionSettings } from '../../src/operations/transactions/records.js'
import { ADDRESS, KEY, PHRASE } from './canary.js'
import type { Session } from './session.js'

const KAS = 100_000_000n

/** Money is sent, and fails to be sent in every way that there is; every answer and every error is taken down. */
export async function payments({ app, devnode, sent, attempt }: Session): Promise<void> {
  const { transaction, utxo } = app
  const [{ address: to } = never()] = devnode.accounts
  const settings = (more: Partial<CreateTransactionSettings> = {}): CreateTransactionSettings => ({
    entries: utxo.matureEntries.value,
    outputs: [{ address: to, amount: KAS }],
    changeAddress: ADDRESS,
    ...more,
  })
  const send = (more: Partial<CreateTransactionSettings> = {}, privateKeys: unknown[] = [KEY]) =>
    attempt(() => transaction.send({ ...settings(more), privateKeys: privateKeys as string[] }))

  const created = await attempt(() => transaction.create(settings()))
  for (const pending of created?.transactions ?? []) {
    await attempt(() => pending.sign([KEY]))
    await attempt(() => pending.serialize())
    await attempt(() => pending)
    await attempt(() => pending.submit())
  }
  const waiting = await send()
  sent.value = waiting?.summary.finalTransactionId ?? null
  await send({ replaces: waiting?.summary.finalTransactionId, entries: utxo.entries.value })
  for (const keys of [[PHRASE], [KEY.slice(1)], [`0x${KEY}`], [[KEY]], [KEY, PHRASE], ['11'.repeat(32)]])
    await send({}, keys)
  for (const outputs of [[{ address: KEY, amount: KAS }], [{ address: to, amount: BigInt(`0x${KEY}`) }]])
    await send({ outputs })
  await send({ changeAddress: PHRASE })
  await send({ replaces: PHRASE })
  devnode.faults.failCall({ method: 'submitTransaction', message: 'Rejected transaction ab: failed to verify' })
  await send()
  devnode.faults.loseReply({ method: 'submitTransaction' })
  await send()
  await devnode.mine(3)
}

function never(): never {
  throw new Error('A devnode has accounts')
}
