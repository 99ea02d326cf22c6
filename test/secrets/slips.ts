import type { UseCryptoReturn } from '../../src/adapters/vue/composables/useCrypto.js'
import { KEY, PASSPHRASE, PHRASE } from './canary.js'
import type { Session } from './session.js'

const WORDS = PHRASE.split(' ')
const PATH = { index: 0 }

/** What a user may do to a secret by mistake, beside using it rightly. None answers a secret of itself. */
const SLIPS: readonly ((crypto: UseCryptoReturn) => unknown)[] = [
  (crypto) => crypto.derivePublicKeys(PHRASE, 'simnet', 3, 3, { passphrase: PASSPHRASE }),
  (crypto) => crypto.signMessage('a message', KEY),
  (crypto) => crypto.isValidMnemonic(PHRASE),
  (crypto) => crypto.mnemonicToKeypair(WORDS.slice(1).join(' '), 'simnet', { passphrase: PASSPHRASE }),
  (crypto) => crypto.mnemonicToKeypair([...WORDS].reverse().join(' '), 'simnet', { passphrase: PASSPHRASE }),
  (crypto) => crypto.mnemonicToKeypair(`${PHRASE} kanarienvogel`, 'simnet'),
  (crypto) => crypto.mnemonicToKeypair(PHRASE.toUpperCase(), 'simnet'),
  (crypto) => crypto.mnemonicToKeypair(PASSPHRASE, 'simnet', { passphrase: PHRASE }),
  (crypto) => crypto.mnemonicToKeypair(PHRASE, 'simnet', { passphrase: PASSPHRASE, account: -1 }),
  (crypto) => crypto.derivePrivateKey(PHRASE, 'simnet', { ...PATH, index: 0.5 }, PASSPHRASE),
  (crypto) => crypto.derivePrivateKey(PHRASE, 'simnet', PATH, [PASSPHRASE] as unknown as string),
  (crypto) => crypto.derivePrivateKey(WORDS as unknown as string, 'simnet', PATH),
  (crypto) => crypto.derivePrivateKey(PHRASE, PHRASE as 'simnet', PATH),
  (crypto) => crypto.createAddress(KEY, 'simnet').length,
  (crypto) => crypto.createAddress(`02${KEY}ff`, 'simnet'),
  (crypto) => crypto.createAddress(PHRASE, 'simnet'),
  (crypto) => crypto.isValidAddress(KEY),
  (crypto) => crypto.signMessage('a message', `0x${KEY}`),
  (crypto) => crypto.signMessage('a message', KEY.slice(0, 62)),
  (crypto) => crypto.signMessage('a message', `${KEY}00`),
  (crypto) => crypto.signMessage('\ud800', KEY),
  (crypto) => crypto.verifyMessage('a message', KEY, KEY),
  (crypto) => crypto.verifyMessage('a message', KEY + KEY, `02${KEY}`),
  (crypto) => crypto.kaspaToSompi(KEY),
]

/** Keys are used, rightly and wrongly; every answer and every error is taken down. */
export async function slips({ app, attempt }: Session): Promise<void> {
  for (const slip of SLIPS) await attempt(() => slip(app.crypto))
  await attempt(() => app.rpc.getBalanceByAddress(KEY))
}
