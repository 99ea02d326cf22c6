/** What a prompt requests approval for. */
export type PromptKind = 'unlock' | 'connect' | 'send' | 'sign message' | 'sign transaction' | 'switch network'

export type PromptResult = 'approve' | 'reject' | 'close'

/** The response to a new prompt; `wait` leaves it open. */
export type PromptPolicy = PromptResult | 'wait'

/** An open prompt in the wallet's window. */
export interface Prompt {
  readonly kind: PromptKind
  /** The content: the message, the payment, the network. */
  readonly detail: unknown
  respond(result: PromptResult): void
}

export interface Prompts {
  /** Open prompts, newest last. */
  readonly open: readonly Prompt[]
  /** The number of prompts ever shown. A reconnect without a prompt leaves it unchanged. */
  readonly shown: number
  /** Sets the response to later prompts. @default 'approve' */
  respondWith(policy: PromptPolicy): void
  /** Calls `listener` whenever a prompt opens or closes, until the returned function is called. */
  watch(listener: () => void): () => void
  /** Opens a prompt; resolves to the user's response. */
  request(kind: PromptKind, detail?: unknown): Promise<PromptResult>
  /** Closes a prompt without a response: its promise never settles. */
  abandon(prompt: Prompt): void
}

export function createPrompts(policy: PromptPolicy = 'approve'): Prompts {
  let open: readonly Prompt[] = []
  let shown = 0
  const listeners = new Set<() => void>()
  const set = (next: readonly Prompt[]): void => {
    open = next
    listeners.forEach((listener) => listener())
  }
  const abandon = (prompt: Prompt): void => set(open.filter((other) => other !== prompt))
  return {
    get open() {
      return open
    },
    get shown() {
      return shown
    },
    respondWith: (next) => {
      policy = next
    },
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    request: (kind, detail) =>
      new Promise((resolve) => {
        shown++
        if (policy !== 'wait') {
          resolve(policy)
          return
        }
        const prompt: Prompt = {
          kind,
          detail,
          respond: (result) => {
            abandon(prompt)
            resolve(result)
          },
        }
        set([...open, prompt])
      }),
    abandon,
  }
}
