import { nkeys } from '@nats-io/transport-node'

type KeyPair = ReturnType<typeof nkeys.createUser>

/** A server that takes JWTs of an operator, and a user of an account of it. */
export interface NatsOperator {
  /** Settings of the server. */
  readonly settings: string
  /** The text of the file that `nsc` writes for the user. */
  readonly creds: string
}

const UNLIMITED = -1

/** New keys with their claims, which a server verifies: https://docs.nats.io/running-a-nats-service/configuration/securing_nats/jwt */
export function createNatsOperator(): NatsOperator {
  const [operator, system, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ]
  const limits = { subs: UNLIMITED, data: UNLIMITED, payload: UNLIMITED }
  const perAccount = {
    ...limits,
    imports: UNLIMITED,
    exports: UNLIMITED,
    wildcards: true,
    conn: UNLIMITED,
    leaf: UNLIMITED,
  }
  const storage = { mem_storage: UNLIMITED, disk_storage: UNLIMITED, streams: UNLIMITED, consumer: UNLIMITED }
  const operatorToken = sign(operator, operator, { type: 'operator', system_account: system.getPublicKey() })
  const systemToken = sign(system, operator, { type: 'account', limits: perAccount })
  const accountToken = sign(account, operator, { type: 'account', limits: { ...perAccount, ...storage } })
  const userToken = sign(user, account, { type: 'user', pub: {}, sub: {}, ...limits })
  const seed = new TextDecoder().decode(user.getSeed())
  return {
    settings: `operator: ${operatorToken}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: { ${system.getPublicKey()}: ${systemToken}, ${account.getPublicKey()}: ${accountToken} }`,
    creds: `-----BEGIN NATS USER JWT-----
${userToken}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`,
  }
}

const encode = (data: object | Uint8Array): string =>
  Buffer.from(data instanceof Uint8Array ? data : JSON.stringify(data)).toString('base64url')

/** Claims of version 2 about the key of `subject`. */
function sign(subject: KeyPair, issuer: KeyPair, nats: object): string {
  const key = subject.getPublicKey()
  const claims = { jti: key, iat: 1_700_000_000, iss: issuer.getPublicKey(), name: key, sub: key }
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ ...claims, nats: { version: 2, ...nats } })}`
  return `${text}.${encode(issuer.sign(Buffer.from(text)))}`
}
