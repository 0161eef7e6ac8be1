export { LoadingCards as default } from '#components/shell/loading-screens.tsx';
