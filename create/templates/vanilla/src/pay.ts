import { kaspaToSompi, type ChainEngine } from 'vue-chain/streams'

/** An address with its private key. */
export interface Account {
  readonly address: string
  readonly privateKeyHex: string
}

/** A payment as the user writes it, the amount in KAS. */
export interface Order {
  readonly to: string
  readonly amount: string
}

/** Pays from an account or, without one, with the user's browser wallet. Returns the id of the transaction. */
export const pay = async (engine: ChainEngine, account: Account | null, { to, amount }: Order): Promise<string> =>
  account === null ? payByWallet(engine, to, kaspaToSompi(amount)) : payFrom(engine, account, to, kaspaToSompi(amount))

async function payFrom(engine: ChainEngine, account: Account, to: string, amount: bigint): Promise<string> {
  await engine.wasm.init() // loads the code that signs
  const { transactionIds } = await engine.transactions.send({
    entries: await engine.rpc.getUtxosByAddresses([account.address]),
    outputs: [{ address: to, amount }],
    changeAddress: account.address,
    privateKeys: [account.privateKeyHex],
  })
  return transactionIds.at(-1)!
}

/** `walletA` is KasWare. */
async function payByWallet({ wallet }: ChainEngine, to: string, amount: bigint): Promise<string> {
  if (wallet.state.status !== 'connected') await wallet.connect('walletA')
  return wallet.sendKaspa(to, amount)
}
