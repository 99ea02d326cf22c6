import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { onMounted, watch } from 'vue'
import './style.css'

/** The theme gives its start page no main landmark. */
function markMain(): void {
  const content = document.getElementById('VPContent')
  if (content?.classList.contains('is-home')) content.setAttribute('role', 'main')
  else content?.removeAttribute('role')
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute()
    onMounted(markMain)
    watch(() => route.path, markMain, { flush: 'post' })
  },
}
