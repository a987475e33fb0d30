export default ["#2e5a45", "#9ccdb1"];
