"""Make training rows in worker processes while a model is trained on earlier rows."""
