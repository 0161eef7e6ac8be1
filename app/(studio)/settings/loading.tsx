export { LoadingCards as default } from '#components/shell/loading-cards.tsx';
