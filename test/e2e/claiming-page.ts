import { resolve } from 'node:path'
import type { Devnode } from '../../src/devnode/index.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** The node of a page's query. */
const OF_QUERY = "new URLSearchParams(location.search).get('node')"

/** A tab that pays one KAS, by a node (an expression), from three UTXOs of the first account to the second one. */
export const claimingPage = ({ accounts: [from, to] }: Devnode, node = OF_QUERY): string => `
  import { createChainEngine } from ${file('engine/engine.ts')}
  import { light } from ${file('light/index.ts')}
  const engine = createChainEngine({ network: 'simnet', url: ${node}, sdk: light, shared: true })
  let entries
  const settings = () => ({
    entries,
    outputs: [{ address: '${to!.address}', amount: 100_000_000n }],
    changeAddress: '${from!.address}',
  })
  const keys = ['${from!.privateKeyHex}']
  const done = (ids) => ids.transactionIds[0]
  const isEnough = ({ amount }) => amount > 200_000_000n // not the change of many payments
  const read = async (count) => {
    const all = await engine.rpc.getUtxosByAddresses(['${from!.address}'])
    entries = all.filter(isEnough).slice(0, count)
  }
  globalThis.ready = Promise.all([engine.connection.connect(), engine.wasm.init()]).then(() => read(3))
  engine.sharing.state$.subscribe((state) => {
    globalThis.sharing = state
    if (state.claims === 'own') globalThis.wasAlone = true
  })
  engine.connection.state$.subscribe(({ status }) => (globalThis.status = status))
  globalThis.accepted = []
  engine.acceptedTransactions$().subscribe(({ type, transactionId }) => accepted.push(type + ' ' + transactionId))
  const send = () => engine.transactions.send({ ...settings(), privateKeys: keys })
  globalThis.pay = () => send().then(done, ({ code }) => code)
  // the same from two UTXOs, as soon as all tabs may; of an error also what it is about
  globalThis.race = async () => {
    globalThis.raced = undefined
    globalThis.wasAlone = false
    await read(2)
    globalThis.raced = await send().then(done, ({ code, message }) => code + ': ' + message)
  }
  // a payment of one UTXO that ends before, or after, it is signed, or goes on
  globalThis.begin = (progress) => new Promise((resolve) => {
    const never = () => new Promise(() => resolve(progress))
    const signs = progress === 'claimed' ? { signer: { sign: never } } : { privateKeys: keys }
    const onSigned = ([payment]) => {
      localStorage.setItem('payment', JSON.stringify(payment))
      return progress === 'signed' ? never() : resolve(payment.id)
    }
    engine.transactions.send({ ...settings(), entries: entries.slice(0, 1), ...signs }, { onSigned }).catch(() => undefined)
  })
  globalThis.restore = async () => {
    const payment = await engine.transactions.restore(JSON.parse(localStorage.getItem('payment')))
    return payment.submit().catch(({ code, outcome }) => code + ' ' + outcome)
  }
  globalThis.pending = () => engine.rpc
    .getMempoolEntriesByAddresses(['${from!.address}'])
    .then((addresses) => addresses.flatMap(({ sending }) => sending).length)
  globalThis.rival = () => engine.transactions
    .send({ ...settings(), entries: entries.slice(0, 1), feeRate: 200, privateKeys: keys })
    .then(done, ({ code }) => code)
`

/** How far a payment came before its page ended. */
export type Progress = 'claimed' | 'signed' | 'sent'

declare global {
  interface Window {
    ready: Promise<void>
    begin(progress: Progress): Promise<string>
    /** Submits the stored payment; resolves to its id, or how it failed. */
    restore(): Promise<string>
    /** Payments in the mempool. */
    pending(): Promise<number>
    /** Pays otherwise from the same UTXO; resolves to the id, or the code of the error. */
    rival(): Promise<string>
  }
}
