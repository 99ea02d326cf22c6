import { resolve } from 'node:path'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** The code of an app with the plugin, the component and the composable, accessible from the test. */
export const WALLET_APP = `
  import { createApp, h } from 'vue'
  import { ConnectWallet, VueChain, useChain, useCrypto, useWallet } from ${file('index.ts')}
  const toPlain = (value) => JSON.parse(JSON.stringify(value ?? null, (_, member) => typeof member === 'bigint' ? String(member) : member))
  const toBigint = (value) => typeof value === 'string' && /^-?\\d+n$/.test(value) ? BigInt(value.slice(0, -1))
    : value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, toBigint(v)])) : value
  const toCause = (cause) => cause instanceof Error ? { name: cause.name, message: cause.message } : toPlain(cause)
  createApp({
    setup() {
      const wallet = useWallet()
      const [{ init }, { verifyMessage }] = [useChain(), useCrypto()]
      window.wallet = wallet
      window.verify = async ({ message, signature, publicKeyHex }) => { await init(); return verifyMessage(message, signature, publicKeyHex) }
      window.snapshot = () => toPlain({
        status: wallet.status.value, provider: wallet.provider.value, address: wallet.address.value,
        publicKey: wallet.publicKey.value, network: wallet.network.value, balance: wallet.balance.value,
        isConnecting: wallet.isConnecting.value, error: wallet.error.value?.code ?? null,
        interrupted: wallet.interrupted.value,
        installed: [wallet.isWalletAInstalled.value, wallet.isWalletBInstalled.value],
      })
      window.attempt = (operation, ...args) => wallet[operation](...args.map(toBigint)).then(
        (resolved) => ({ resolved: toPlain(resolved) }),
        ({ message, operation, code, cause }) => ({ message, operation, code, cause: toCause(cause) }))
      return () => h(ConnectWallet)
    },
  }).use(VueChain, { network: 'mainnet', autoConnect: false }).mount(document.body.appendChild(document.createElement('div')))
`
