import { shallowRef, watch } from 'vue'

export type Sharing = 'off' | 'on'

const KEY = 'vue-chain-demo-sharing'

/** Whether the tabs of this browser share their connection and their reservations, persisted in localStorage. */
export const sharing = shallowRef<Sharing>(localStorage.getItem(KEY) === 'on' ? 'on' : 'off')

/** The option `shared` of the plugin. */
export const shared: boolean = sharing.value === 'on'

// An engine shares, or not, for its lifetime.
watch(sharing, (value) => {
  localStorage.setItem(KEY, value)
  location.reload()
})
