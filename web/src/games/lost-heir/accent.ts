export default ["#1f3b63", "#a6c0e6"];
