import { onMounted, ref } from 'vue'

/** Copies texts; `copied` is the latest one. Pages that are not served over https have no clipboard. */
export function useCopy() {
  const copied = ref('')
  const canCopy = ref(false)
  onMounted(() => (canCopy.value = 'clipboard' in navigator))

  async function copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text)
    copied.value = text
  }

  return { copied, copy, canCopy }
}
