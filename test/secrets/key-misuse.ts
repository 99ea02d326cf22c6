import type { UseCryptoReturn } from '../../src/adapters/vue/composables/useCrypto.js'
import { KEY, PASSPHRASE, MNEMONIC } from './canary.js'
import type { Session } from './session.js'

const WORDS = MNEMONIC.split(' ')
const PATH = { index: 0 }

/** Correct and mistaken calls with a secret. None returns a secret by design. */
const CALLS: readonly ((crypto: UseCryptoReturn) => unknown)[] = [
  (crypto) => crypto.derivePublicKeys(MNEMONIC, 'simnet', 3, 3, { passphrase: PASSPHRASE }),
  (crypto) => crypto.deriveExtendedPublicKey(MNEMONIC, 'simnet', { purpose: 45, passphrase: PASSPHRASE }),
  (crypto) => crypto.deriveExtendedPublicKey(WORDS.slice(1).join(' '), 'simnet', { passphrase: PASSPHRASE }),
  (crypto) => crypto.deriveExtendedPublicKey(MNEMONIC, 'simnet', { account: MNEMONIC as unknown as number }),
  (crypto) => crypto.deriveExtendedPublicKey(MNEMONIC, 'simnet', { purpose: PASSPHRASE as unknown as 44 }),
  (crypto) => crypto.signMessage('a message', KEY),
  (crypto) => crypto.isValidMnemonic(MNEMONIC),
  (crypto) => crypto.mnemonicToKeypair(WORDS.slice(1).join(' '), 'simnet', { passphrase: PASSPHRASE }),
  (crypto) => crypto.mnemonicToKeypair([...WORDS].reverse().join(' '), 'simnet', { passphrase: PASSPHRASE }),
  (crypto) => crypto.mnemonicToKeypair(`${MNEMONIC} kanarienvogel`, 'simnet'),
  (crypto) => crypto.mnemonicToKeypair(MNEMONIC.toUpperCase(), 'simnet'),
  (crypto) => crypto.mnemonicToKeypair(PASSPHRASE, 'simnet', { passphrase: MNEMONIC }),
  (crypto) => crypto.mnemonicToKeypair(MNEMONIC, 'simnet', { passphrase: PASSPHRASE, account: -1 }),
  (crypto) => crypto.derivePrivateKey(MNEMONIC, 'simnet', { ...PATH, index: 0.5 }, PASSPHRASE),
  (crypto) => crypto.derivePrivateKey(MNEMONIC, 'simnet', PATH, [PASSPHRASE] as unknown as string),
  (crypto) => crypto.derivePrivateKey(WORDS as unknown as string, 'simnet', PATH),
  (crypto) => crypto.derivePrivateKey(MNEMONIC, MNEMONIC as 'simnet', PATH),
  (crypto) => crypto.createAddress(KEY, 'simnet').length,
  (crypto) => crypto.createAddress(`02${KEY}ff`, 'simnet'),
  (crypto) => crypto.createAddress(MNEMONIC, 'simnet'),
  (crypto) => crypto.isValidAddress(KEY),
  (crypto) => crypto.signMessage('a message', `0x${KEY}`),
  (crypto) => crypto.signMessage('a message', KEY.slice(0, 62)),
  (crypto) => crypto.signMessage('a message', `${KEY}00`),
  (crypto) => crypto.signMessage('\ud800', KEY),
  (crypto) => crypto.verifyMessage('a message', KEY, KEY),
  (crypto) => crypto.verifyMessage('a message', KEY + KEY, `02${KEY}`),
  (crypto) => crypto.kaspaToSompi(KEY),
]

/** Runs the calls; records every result and every error. */
export async function misuseKeys({ app, attempt }: Session): Promise<void> {
  for (const call of CALLS) await attempt(() => call(app.crypto))
  await attempt(() => app.rpc.getBalanceByAddress(KEY))
}
